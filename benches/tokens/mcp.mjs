// A client of an MCP server over its standard streams: one JSON message a line (Model Context Protocol, stdio transport).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROTOCOL = "2025-06-18";
/** Longest wait for one answer, in ms. */
const PATIENCE = 120_000;

export class McpClient {
  #next = 1;
  #waiting = new Map();
  #child;
  #home;
  #complaints = "";

  /** Starts the server and shakes hands with it. */
  static async start(script, args) {
    const client = new McpClient(script, args);
    const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "tokens", version: "0" } };
    await client.#request("initialize", params);
    client.#send({ method: "notifications/initialized" });
    return client;
  }

  constructor(script, args) {
    // Some servers leave files in the folder that they are started in.
    this.#home = mkdtempSync(join(tmpdir(), "tokens-"));
    this.#child = spawn(process.execPath, [script, ...args], { cwd: this.#home, stdio: ["pipe", "pipe", "pipe"] });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#receive(line));
    this.#child.stderr.on("data", (data) => (this.#complaints = (this.#complaints + data).slice(-2000)));
    this.#child.on("exit", (code) => this.#fail(new Error(`${script} ended with ${code}: ${this.#complaints}`)));
  }

  /** Text of a tool's result; an error when the tool says that it failed. */
  async call(name, args = {}) {
    const result = await this.#request("tools/call", { name, arguments: args });
    const text = result.content.map((part) => part.text ?? "").join("\n");
    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
  }

  /** Ends the server, which ends its browser; one that does not end by itself is killed. */
  async close() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((done) => this.#child.once("exit", done));
      this.#child.stdin.end();
      const timer = setTimeout(() => this.#child.kill("SIGTERM"), 10_000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.#home, { recursive: true, force: true });
  }

  #request(method, params) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, new Error(`${method} ${params.name ?? ""}: no answer`)), PATIENCE);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#send({ id, method, params });
    });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #receive(line) {
    if (!line.startsWith("{")) return;
    const { id, method, result, error } = JSON.parse(line);
    // A server may ask its client too (roots, sampling); we offer nothing.
    if (method && id !== undefined) this.#send({ id, error: { code: -32601, message: "not offered" } });
    else if (!method) this.#settle(id, error ? new Error(error.message) : null, result);
  }

  #settle(id, error, result) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error) waiting.reject(error);
    else waiting.resolve(result);
  }

  #fail(error) {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, error);
  }
}
