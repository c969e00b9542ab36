// The readers that are compared: each opens a page, brings it into a state by script, and gives its text of the whole
// page. All drive the same browser executable, headless, with a fresh profile and the same viewport.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { McpClient } from "./mcp.mjs";

/** CSS px; what the service gives its headless tabs. */
const [WIDTH, HEIGHT] = [1280, 800];

const manifest = (name) => createRequire(import.meta.url).resolve(`${name}/package.json`);
const version = (name) => JSON.parse(readFileSync(manifest(name), "utf8")).version;

function script(name, bin) {
  const path = manifest(name);
  return join(dirname(path), JSON.parse(readFileSync(path, "utf8")).bin[bin]);
}

/** Starts a program and gives its first `lines` lines of output. */
export async function announce(program, args, lines, options = {}) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], ...options });
  const said = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === lines) break;
  }
  if (said.length < lines) throw new Error(`${program} ended too early`);
  child.stdout.resume();
  return { child, said };
}

/** The product itself, over HTTP. */
export class Dsb {
  name = "dsb";

  static async start(binary) {
    const home = await mkdtemp(join(tmpdir(), "dsb-tokens-"));
    const args = ["serve", "--server.port=0", "--browser.capture.enabled=false"];
    const env = { PATH: process.env.PATH, HOME: home };
    const { child, said } = await announce(binary, args, 1, { cwd: home, env });
    const dsb = Object.assign(new Dsb(), { child, home, address: said[0].replace("listening on ", "").trim() });
    const { id, browser } = await dsb.run("start", {});
    const product = execFileSync(browser.executable, ["--version"], { encoding: "utf8" }).trim();
    return Object.assign(dsb, { id, browser: { ...browser, product } });
  }

  async run(method, params) {
    const response = await fetch(`${this.address}/playwright/command`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: this.id, method, params }),
    });
    const reply = await response.json();
    if (!reply.ok) throw new Error(`${method}: ${reply.msg}`);
    return reply.data;
  }

  open(url) {
    return this.run("go_to_url", { url });
  }

  evaluate(body) {
    return this.run("execute_js", { body: `async () => { ${body}\n}` });
  }

  async read(mode = "full") {
    const params = { viewportExpansion: -1, includeFrames: true, includeElements: false, mode };
    return (await this.run("get_browser_state", params)).text;
  }

  async close() {
    const ended = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGTERM");
    await ended;
    await rm(this.home, { recursive: true, force: true });
  }
}

/** `browser_snapshot` of @playwright/mcp. */
export class Playwright {
  name = `@playwright/mcp ${version("@playwright/mcp")}`;

  static async start(browser) {
    const args = ["--headless", "--isolated", `--viewport-size=${WIDTH}x${HEIGHT}`, `--executable-path=${browser.executable}`];
    if (!browser.sandbox) args.push("--no-sandbox");
    const client = await McpClient.start(script("@playwright/mcp", "playwright-mcp"), args);
    return Object.assign(new Playwright(), { client });
  }

  open(url) {
    return this.client.call("browser_navigate", { url });
  }

  evaluate(body) {
    return this.client.call("browser_evaluate", { function: `async () => { ${body}\n}` });
  }

  /** The snapshot alone: what the reply says of tabs and address is not counted. */
  async read() {
    const text = await this.client.call("browser_snapshot");
    const block = /```yaml\n([\s\S]*?)\n?```/.exec(text);
    if (!block) throw new Error(`no snapshot in ${text}`);
    return block[1];
  }

  close() {
    return this.client.close();
  }
}

/** `take_snapshot` of chrome-devtools-mcp. */
export class Devtools {
  name = `chrome-devtools-mcp ${version("chrome-devtools-mcp")}`;

  static async start(browser) {
    const args = [
      "--headless", "--isolated", `--viewport=${WIDTH}x${HEIGHT}`, `--executablePath=${browser.executable}`, "--no-usage-statistics",
      "--no-performance-crux", "--no-page-id-routing",
    ];
    if (!browser.sandbox) args.push("--chrome-arg=--no-sandbox");
    const client = await McpClient.start(script("chrome-devtools-mcp", "chrome-devtools-mcp"), args);
    return Object.assign(new Devtools(), { client });
  }

  open(url) {
    return this.client.call("navigate_page", { type: "url", url });
  }

  evaluate(body) {
    return this.client.call("evaluate_script", { function: `async () => { ${body}\n}` });
  }

  async read() {
    const text = await this.client.call("take_snapshot");
    const at = text.search(/^uid=/m);
    if (at < 0) throw new Error(`no snapshot in ${text}`);
    return text.slice(at);
  }

  close() {
    return this.client.close();
  }
}
