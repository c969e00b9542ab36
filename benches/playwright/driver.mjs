// Drives a browser of its own with playwright-core: `node driver.mjs <executable> <sandbox> <url>`. Each line on standard
// input is an order, `[name, …arguments]` in JSON; the answer is `[milliseconds, what the page then has]`.
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [executablePath, sandbox, url] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, chromiumSandbox: sandbox === "true", headless: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(url);

async function timed(work) {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}

const orders = {
  click: (selector) =>
    timed(async () => {
      await page.locator(selector).click();
      return page.title();
    }),
  async fill(fields) {
    const [took] = await timed(async () => {
      for (const [selector, text] of fields) await page.locator(selector).fill(text);
    });
    return [took, await Promise.all(fields.map(([selector]) => page.locator(selector).inputValue()))];
  },
  async type(selector, text) {
    await page.locator(selector).fill("");
    const [took] = await timed(() => page.locator(selector).pressSequentially(text));
    return [took, await page.locator(selector).inputValue()];
  },
};

console.log('"ready"');
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...rest] = JSON.parse(line);
  console.log(JSON.stringify(await orders[name](...rest)));
}
await browser.close();
