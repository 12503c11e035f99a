"use strict";
// Asks for the state every 1.5 s and draws it; texts go in as text, never as markup.
const $ = (id) => document.getElementById(id);
let tag = null;

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined && text !== null) element.textContent = text;
  return element;
}

function picture(src) {
  const image = make("img");
  image.src = src;
  image.alt = "";
  return image;
}

function place(element, box) {
  element.style.left = `${box.x * 100}%`;
  element.style.top = `${box.y * 100}%`;
  element.style.width = `${box.w * 100}%`;
  element.style.height = `${box.h * 100}%`;
  return element;
}

function seat(data) {
  const row = make("li", data.active ? "active" : "");
  const mark = make("span", "mark");
  mark.append(picture(`player/${data.colour}.png`), make("b", "", data.letter));
  const marks = make("span", "marks");
  for (const [key, filled, count] of data.marks) {
    marks.append(picture(`mark/${key}-${filled ? 1 : 0}.png`));
    if (count !== null) marks.append(String(count));
  }
  row.append(mark, make("span", "name", data.name), marks);
  if (data.badge) row.append(make("span", "badge", data.badge));
  if (data.number !== null) row.append(make("span", "number", data.number));
  return row;
}

function piece(data) {
  const box = place(make("div", "piece"), data);
  box.append(picture(data.src));
  if (data.label) box.append(make("span", "", data.label));
  return box;
}

function show(state) {
  document.title = state.title;
  $("board").style.setProperty("--aspect", state.aspect);
  $("round").textContent = state.round;
  $("headline").textContent = state.headline;
  $("refused").hidden = !state.refused;
  $("refused").textContent = state.refused;
  $("seats").replaceChildren(...state.seats.map(seat));
  const cells = state.cells.map((c) => place(make("div", `cell ${c.kind}`), c));
  $("things").replaceChildren(...(state.ground ?? []).map(piece), ...cells, ...state.pieces.map(piece));
}

async function ask() {
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const answer = await fetch("state.json", { headers, cache: "no-store" });
    if (answer.status === 200) {
      tag = answer.headers.get("ETag");
      const state = await answer.json();
      if (state.seats) show(state);
    }
    $("offline").hidden = answer.ok || answer.status === 304;
  } catch {
    $("offline").hidden = false;
  }
  setTimeout(ask, 1500);
}

if (new URLSearchParams(location.search).has("overlay")) document.body.classList.add("overlay");
ask();
