// Drives a browser of its own with playwright-core: `node driver.mjs <executable> <sandbox> <url>`. For each line on
// standard input, a selector, it clicks there, asks for the title, and answers with `<milliseconds> <title>`.
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [executablePath, sandbox, url] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, chromiumSandbox: sandbox === "true", headless: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(url);
console.log("ready");
for await (const selector of createInterface({ input: process.stdin })) {
  const began = performance.now();
  await page.locator(selector).click();
  const title = await page.title();
  console.log(performance.now() - began, title);
}
await browser.close();
