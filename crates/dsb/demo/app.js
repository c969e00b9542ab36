// A small order book: everything it knows is in this page and is gone when the page is.
"use strict";

const TEAS = [["Assam", 6.5], ["Darjeeling", 9.2], ["Sencha", 11.0], ["Earl Grey", 7.4]];
const GIFT = 2.5;
const orders = [
  { number: 1001, customer: "Grace Hopper", tea: "Assam", tins: 2, gift: false },
  { number: 1002, customer: "Alan Turing", tea: "Earl Grey", tins: 1, gift: true },
  { number: 1003, customer: "Edsger Dijkstra", tea: "Sencha", tins: 4, gift: false },
];

const at = (id) => document.getElementById(id);
const form = at("order-form");
const fields = { customer: at("customer"), tea: at("tea"), tins: at("tins"), gift: at("gift") };

const priceOf = (tea) => TEAS.find(([name]) => name === tea)?.[1] ?? 0;
const totalOf = (order) => priceOf(order.tea) * order.tins + (order.gift ? GIFT : 0);
const euros = (amount) => `${amount.toFixed(2)} €`;

function entered() {
  return {
    customer: fields.customer.value.trim(),
    tea: fields.tea.value,
    tins: Number(fields.tins.value),
    gift: fields.gift.checked,
  };
}

function problems(order) {
  const whole = Number.isInteger(order.tins) && order.tins >= 1 && order.tins <= 50;
  return {
    customer: order.customer ? "" : "Please say who orders",
    tea: order.tea ? "" : "Please choose a tea",
    tins: whole ? "" : "Between 1 and 50 tins",
  };
}

function showProblem(name, text) {
  at(`${name}-error`).textContent = text;
  fields[name].toggleAttribute("aria-invalid", false);
  if (text) fields[name].setAttribute("aria-invalid", "true");
}

function check() {
  const found = Object.entries(problems(entered()));
  found.forEach(([name, text]) => showProblem(name, text));
  const wrong = found.find(([, text]) => text);
  if (wrong) fields[wrong[0]].focus();
  return !wrong;
}

function row(order, fresh) {
  const line = document.createElement("tr");
  line.classList.toggle("new", fresh);
  const cells = [order.number, order.customer, order.tea, order.tins, order.gift ? "yes" : "no", euros(totalOf(order))];
  for (const text of cells) line.insertCell().textContent = text;
  return line;
}

function openForm(open) {
  form.hidden = !open;
  at("new-order").setAttribute("aria-expanded", String(open));
  if (open) return fields.customer.focus();
  form.reset();
  ["customer", "tea", "tins"].forEach((name) => showProblem(name, ""));
  showTotal();
}

function showTotal() {
  const order = entered();
  at("total").textContent = euros(order.tea && order.tins > 0 ? totalOf(order) : 0);
}

function ask(order) {
  const tins = order.tins === 1 ? "1 tin" : `${order.tins} tins`;
  at("confirm-text").textContent = `${tins} of ${order.tea} for ${order.customer}, ${euros(totalOf(order))}`;
  at("confirm").showModal();
}

function place() {
  const order = { number: orders.at(-1).number + 1, ...entered() };
  orders.push(order);
  at("orders").tBodies[0].append(row(order, true));
  at("confirm").close();
  openForm(false);
  at("message").textContent = `Order ${order.number} has been placed`;
}

fields.tea.append(new Option("Choose…", ""));
for (const [name, price] of TEAS) fields.tea.append(new Option(`${name}, ${euros(price)}`, name));
at("orders").tBodies[0].append(...orders.map((order) => row(order, false)));

at("new-order").addEventListener("click", () => openForm(form.hidden));
at("cancel").addEventListener("click", () => openForm(false));
at("back").addEventListener("click", () => at("confirm").close());
at("place").addEventListener("click", place);
form.addEventListener("input", (event) => {
  showTotal();
  if (problems(entered())[event.target.name] === "") showProblem(event.target.name, "");
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  at("message").textContent = "";
  if (check()) ask(entered());
});
