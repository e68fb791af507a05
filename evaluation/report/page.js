"use strict";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const specs = JSON.parse(document.getElementById("specs").textContent);

function theme() {
  const ink = dark.matches ? "#e6e8e3" : "#262b2e", faint = dark.matches ? "#363e41" : "#e2dccf";
  const axis = { labelColor: ink, titleColor: ink, domainColor: faint, tickColor: faint, gridColor: faint };
  return {
    background: "transparent", font: "system-ui, sans-serif", axis: axis, title: { color: ink },
    legend: { labelColor: ink, titleColor: ink, orient: "bottom" }, view: { stroke: null },
  };
}

function draw() {
  for (const [name, spec] of Object.entries(specs)) {
    const place = document.getElementById("chart-" + name);
    if (!place) continue;
    const options = { actions: false, renderer: "svg", config: theme() };
    vegaEmbed(place, spec, options).catch(error => { place.textContent = "This picture failed: " + error; });
  }
}
draw();
dark.addEventListener("change", draw);

/* races to watch */
const data = JSON.parse(document.getElementById("films-data").textContent);
const SUITS = data.suits, RANKS = data.ranks;
const at = { film: 0, round: 0, frame: 0, timer: null };
const find = id => document.getElementById(id);

function make(tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}

function cardRow(row) {
  const line = make("div", "row");
  if (row.label) line.append(make("span", "label", row.label));
  for (const card of row.cards) {
    line.append(card === null ? make("span", "card down", "··")
      : make("span", "card suit-" + Math.floor(card / RANKS.length), RANKS[card % RANKS.length] + SUITS[Math.floor(card / RANKS.length)]));
  }
  return line;
}

function lane(runner, length) {
  const line = make("div", "lane"), turf = make("div", "turf"), odds = make("div", "odds", runner.note);
  const reach = 100 * 0.92 / length;
  line.append(make("span", "suit-" + runner.suit, SUITS[runner.suit]), turf, odds);
  const post = make("span", "post"), horse = make("span", "horse suit-" + runner.suit, SUITS[runner.suit]);
  post.style.left = 2 + reach * length + "%";
  horse.style.left = Math.min(98, 2 + reach * runner.steps) + "%";
  if (runner.home) horse.classList.add("home");
  turf.append(post, horse);
  if (runner.chance !== null) {
    const gauge = make("span", "gauge");
    gauge.style.width = 100 * runner.chance + "%";
    odds.append(gauge);
  }
  return line;
}

function grid(part) {
  const table = make("table"), body = make("tbody");
  if (part.title) table.append(make("caption", "", part.title));
  const line = (cells, tag) => {
    const row = make("tr");
    cells.forEach((cell, column) => row.append(make(tag, part.left.includes(column) ? "left" : "", cell)));
    return row;
  };
  if (part.columns.some(Boolean)) { const head = make("thead"); head.append(line(part.columns, "th")); table.append(head); }
  part.rows.forEach(row => body.append(line(row, "td")));
  table.append(body);
  return table;
}

function show() {
  const round = data.films[at.film].rounds[at.round], frame = round.frames[at.frame], part = n => data.parts[n];
  find("frame").max = round.frames.length - 1;
  find("frame").value = at.frame;
  const scene = make("div");
  scene.append(make("h3", "", part(frame.title)));
  if (part(frame.subtitle)) scene.append(make("p", "note", part(frame.subtitle)));
  frame.cards.forEach(n => scene.append(cardRow(part(n))));
  frame.table.forEach(row => row.forEach(n => scene.append(cardRow(part(n)))));
  if (frame.course) {
    if (frame.course.rail !== null) scene.append(cardRow(part(frame.course.rail)));
    frame.course.runners.forEach(n => scene.append(lane(part(n), frame.course.length)));
  }
  if (part(frame.note)) scene.append(make("p", "note", part(frame.note)));
  const grids = make("div", "grids scroll");
  frame.grids.forEach(n => grids.append(grid(part(n))));
  scene.append(grids);
  find("scene").replaceChildren(scene);
}

function go(frame) {
  const rounds = data.films[at.film].rounds;
  if (frame >= rounds[at.round].frames.length && at.round + 1 < rounds.length) { at.round += 1; frame = 0; }
  else if (frame < 0 && at.round > 0) { at.round -= 1; frame = rounds[at.round].frames.length - 1; }
  const last = rounds[at.round].frames.length - 1;
  if (frame > last) pause();
  at.frame = Math.max(0, Math.min(frame, last));
  find("round").value = at.round;
  show();
}

function pause() {
  clearInterval(at.timer);
  at.timer = null;
  find("play").textContent = "▶";
}

function rounds() {
  find("round").replaceChildren(...data.films[at.film].rounds.map((round, place) => {
    const option = make("option", "", String(round.number));
    option.value = place;
    return option;
  }));
  at.round = 0;
  go(0);
}

if (data.films.length) {
  find("player").hidden = false;
  data.films.forEach((film, place) => {
    const option = make("option", "", "deal " + film.deal + ": " + film.players.join(", "));
    option.value = place;
    find("film").append(option);
  });
  find("film").onchange = event => { at.film = Number(event.target.value); rounds(); };
  find("round").onchange = event => { at.round = Number(event.target.value); go(0); };
  find("frame").oninput = event => { pause(); go(Number(event.target.value)); };
  find("back").onclick = () => { pause(); go(at.frame - 1); };
  find("next").onclick = () => { pause(); go(at.frame + 1); };
  find("play").onclick = () => {
    if (at.timer) { pause(); return; }
    find("play").textContent = "❚❚";
    at.timer = setInterval(() => go(at.frame + 1), 450);
  };
  rounds();
}
document.body.dataset.ready = "yes";
