"""The style of every page: light and dark, laptop, phone and paper."""

from __future__ import annotations

__all__ = ["DARK", "LIGHT", "SERIES", "STYLE", "SVG_STYLE"]

SERIES = 8  # colours of series in one chart; after these they repeat with dashed lines

# Text and graphics have a contrast of 4.5 and 3 against the background (WCAG 2.1, AA).
LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "muted": "#57606a",
    "line": "#d5d9de",
    "soft": "#f3f5f7",
    "accent": "#1a5fb4",
    "pale": "#bcd5f2",
    "good": "#1b7f3b",
    "bad": "#b3261e",
    "new": "#cdeed7",
    "gone": "#fbd9d5",
    "third": "#8a4fbd",
    "series-0": "#1a5fb4",
    "series-1": "#c2410c",
    "series-2": "#1b7f3b",
    "series-3": "#8a4fbd",
    "series-4": "#0e7490",
    "series-5": "#b3261e",
    "series-6": "#7a6000",
    "series-7": "#57606a",
}
DARK = {
    "paper": "#16181c",
    "ink": "#e6e6e3",
    "muted": "#a8b0ba",
    "line": "#3b4048",
    "soft": "#22262c",
    "accent": "#7db7ff",
    "pale": "#2c4a70",
    "good": "#6fd08c",
    "bad": "#ff9a91",
    "new": "#1d4a2d",
    "gone": "#5f2722",
    "third": "#c9a0f0",
    "series-0": "#7db7ff",
    "series-1": "#ffa36b",
    "series-2": "#6fd08c",
    "series-3": "#c9a0f0",
    "series-4": "#5fd0de",
    "series-5": "#ff9a91",
    "series-6": "#e3c34d",
    "series-7": "#a8b0ba",
}


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


_RULES = """
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "Noto Sans CJK SC", sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 78rem; padding: .9rem 1.5rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 650; margin: 0 0 .2rem; }
h2 { font-size: 1.3rem; line-height: 1.3; font-weight: 650; margin: 2.2rem 0 .4rem;
  padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; font-weight: 650; margin: .5rem 0 .2rem; }
p { margin: .3rem 0 .7rem; max-width: 52rem; }
.lede { max-width: none; }
.note, figcaption { color: var(--muted); font-size: .9rem; }
a { color: var(--accent); }
code, pre { font: .875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px;
  padding: .7rem .9rem; margin: .5rem 0; overflow-x: auto; }
mark { color: inherit; border-radius: 3px; padding: 0 .15em; }
mark.new { background: var(--new); text-decoration: underline; }
mark.gone { background: var(--gone); text-decoration: line-through; }
mark.words { background: var(--pale); }
mark.gap { background: none; text-decoration: underline; text-decoration-thickness: 2px;
  text-underline-offset: .2em; text-decoration-color: var(--third); }
mark.gap-2 { text-decoration-style: double; }
mark.cause { background: var(--gone); text-decoration: underline wavy; }
figure, .scroll { margin: .8rem 0; overflow-x: auto; max-width: 100%; }
figcaption { margin-top: .3rem; max-width: 52rem; }
details { margin: .8rem 0; border: 1px solid var(--line); border-radius: 6px; padding: 0 .9rem; }
summary { cursor: pointer; padding: .55rem 0; font-weight: 650; }
details[open] > summary { border-bottom: 1px solid var(--line); margin-bottom: .6rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .95rem; }
th, td { padding: .3rem 1.1rem .3rem 0; text-align: left; vertical-align: top; }
tr { border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
  gap: .2rem 2.5rem; }
.columns > *, .first > * { min-width: 0; }
.first { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: .2rem 2.5rem; }
.bars { display: grid; grid-template-columns: minmax(0, max-content) 1fr max-content;
  gap: .15rem .8rem; align-items: center; font-size: .9rem; max-width: 46rem; }
.bars .label { overflow-wrap: anywhere; }
.bars .track { position: relative; height: .95rem; background: var(--soft); border-radius: 3px; }
.bars .fill { position: absolute; top: 0; bottom: 0; background: var(--accent);
  border-radius: 3px; min-width: 1px; }
.bars .fill.minus { background: var(--bad); }
.bars .fill.plus { background: var(--good); }
.bars .zero { position: absolute; top: -.15rem; bottom: -.15rem; width: 1px;
  background: var(--ink); }
.bars .value { text-align: right; font-variant-numeric: tabular-nums; }
[title].label, dfn { text-decoration: underline dotted var(--muted); text-underline-offset: .2em;
  cursor: help; font-style: normal; }
.stages { width: 100%; }
.stages td { vertical-align: middle; padding-top: .05rem; padding-bottom: .05rem; }
.stages tr:last-child { border: 0; }
.stages { font-size: .9rem; }
.stages td:first-child { white-space: nowrap; }
.stages .track { width: 28%; }
.stages td:last-child { min-width: 12rem; }
.stages .kept { font-weight: 650; }
.stages small { display: block; color: var(--muted); font-weight: normal; font-size: .8rem; }
.example { border-bottom: 1px solid var(--line); padding: .25rem 0; margin: 0;
  font-size: .85rem; line-height: 1.35;
  display: grid; grid-template-columns: 5.2rem 1fr; gap: 0 .6rem; }
.example dt { color: var(--muted); margin: 0; }
.example dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.example .final { font-weight: 650; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin: 0;
  padding: 0; font-size: .9rem; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.legend svg { flex: none; }
.pieces { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 1rem .8rem; }
.pieces figure { margin: 0; }
.say { font-size: 1.25rem; margin: .2rem 0; }
.pair { margin: .3rem 0 .6rem; padding-left: .8rem; border-left: 3px solid var(--line); }
.pair div { overflow-wrap: anywhere; }
svg { display: block; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "Noto Sans CJK SC", sans-serif; fill: var(--ink); }
svg.words text { font-size: 15px; }
svg text.tick, svg text.side { fill: var(--muted); }
svg text.strong { font-weight: 650; }
svg .series { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg .series.dashed { stroke-dasharray: 6 4; }
svg .mark { stroke: var(--paper); stroke-width: 1; }
SERIES_RULES
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .axis { stroke: var(--muted); stroke-width: 1; }
svg .bar, svg .dot { fill: var(--accent); }
svg .whisker { stroke: var(--accent); stroke-width: 2; }
svg .cell { fill: var(--soft); stroke: var(--line); }
svg .edge { stroke: var(--muted); stroke-width: 1.2; fill: none; }
svg .path { stroke: var(--accent); stroke-width: 2; fill: none; }
svg .box { fill: var(--soft); stroke: var(--muted); }
svg .box.target { fill: var(--paper); }
svg .chip { fill: var(--pale); stroke: none; }
svg .band { fill: var(--accent); fill-opacity: .22; }
svg .faint { fill: var(--muted); fill-opacity: .6; }
svg .full { fill: var(--ink); }
svg .hollow { fill: none; stroke: var(--muted); }
svg .ring { fill: none; stroke: var(--third); stroke-width: 2.5; }
svg .path.thin { stroke-width: 1.5; stroke-opacity: .6; }
svg .beam { fill: var(--accent); }
svg .beam.dead { fill: none; stroke: var(--line); }
svg .beam.alive { fill: var(--muted); }
svg .beam.winner { fill: var(--good); }
svg .merged { fill: var(--paper); stroke: var(--ink); }
svg .agrees { fill: none; stroke: var(--ink); stroke-width: 2; }
svg .lost, svg line.lost { stroke: var(--bad); stroke-width: 2.5; stroke-dasharray: 5 3; }
svg circle.lost { fill: var(--bad); stroke: none; }
svg .violation { fill: var(--bad); }
svg .safe { fill: var(--good); }
svg .flow { fill: none; stroke: var(--muted); }
svg .flow.best { stroke: var(--accent); }
svg .bin:hover .beam, svg .bin:focus .beam, svg .bin.chosen .beam { stroke: var(--third);
  stroke-width: 1.5; }
svg .hit:hover .flow, svg .hit:focus .flow { stroke: var(--third); stroke-opacity: 1; }
svg .hit:hover .box, svg .hit:focus .box { stroke: var(--accent); stroke-width: 2.5; }
svg .hit:hover .band, svg .hit:focus .band { fill-opacity: .55; }
svg .bar:hover, svg .dot:hover { fill: var(--third); }
@media (max-width: 1000px) { .first { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 640px) {
  body { padding: .9rem .9rem 3rem; }
  h1 { font-size: 1.45rem; }
  table.cards, .cards tbody, .cards tr, .cards td { display: block; width: 100%; }
  .cards tr.head { display: none; }
  .cards tr { padding: .4rem 0; }
  .cards td { padding: .05rem 0; text-align: left; white-space: normal;
    overflow-wrap: anywhere; }
  .cards td[data-label]::before { content: attr(data-label) ": "; color: var(--muted); }
  .cards td.number[data-label] { display: inline-block; width: auto; margin-right: 1rem; }
  .cards td.track { width: 100%; }
  .cards td:empty, .cards td.number[data-label]:empty { display: none; }
  .stages td:first-child { white-space: normal; }
  .stages td:last-child { min-width: 0; }
  svg text.roomy { display: none; }
  .bars { grid-template-columns: 1fr max-content; }
  .bars .label { grid-column: 1 / -1; }
  .example { grid-template-columns: 4.6rem 1fr; }
}
@media (max-width: 640px), print { td:last-child:not(.number) { overflow-wrap: anywhere; } }
@media print {
  :root { PRINT print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  details > * { display: block; }
  details::details-content { content-visibility: visible; }
  figure, .scroll, pre { overflow: visible; }
  .example, tr, figure { break-inside: avoid; }
  .bars, pre { break-inside: avoid; }
  .stages td:last-child { min-width: 8.5rem; }
  h2, h3, h2 + p, summary, tr.head { break-after: avoid; }
}
@page { margin: 15mm; }
"""

_SERIES_RULES = "".join(
    f"svg .series-{i} {{ stroke: var(--series-{i}); }}\n"
    f"svg .mark.series-{i} {{ fill: var(--series-{i}); }}\n"
    for i in range(SERIES)
)
_RULES = _RULES.replace("SERIES_RULES", _SERIES_RULES)

# For a drawing in a file of its own (standalone.py).
SVG_STYLE = "\n".join(
    line for line in _RULES.replace(",\n", ", ").splitlines() if line.startswith(("svg ", "svg."))
)

STYLE = (
    f":root {{ color-scheme: light dark; {_variables(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}"
    f"{_RULES.replace('PRINT', _variables(LIGHT))}"
)
