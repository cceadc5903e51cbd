// SPDX-License-Identifier: MIT
// Sorting, filtering and tracing. The page is readable without it.
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // An element with attributes and children; texts never become markup.
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
    return element;
  };

  // ---- sorting: largest first, smallest first, as it was; rows without a value stay at the end
  const valueOf = (row, index) => {
    const cell = row.cells[index];
    if (!cell) return null;
    const text = cell.dataset.v !== undefined ? cell.dataset.v
      : cell.matches('th') ? cell.textContent : '';
    return text === '' ? null : text;
  };
  const compareValues = (a, b) =>
    Number.isFinite(+a) && Number.isFinite(+b) ? +a - +b : a.localeCompare(b, 'en', { numeric: true });
  const sortBy = heading => {
    const table = heading.closest('table'), body = table.tBodies[0], index = heading.cellIndex;
    const rows = [...body.rows];
    rows.forEach((row, place) => { if (row.place === undefined) row.place = place; });
    const order = { none: index ? 'descending' : 'ascending', descending: index ? 'ascending' : 'none',
      ascending: index ? 'none' : 'descending' }[heading.getAttribute('aria-sort')];
    for (const other of table.tHead.rows[0].cells) if (other.matches('[aria-sort]')) other.setAttribute('aria-sort', 'none');
    heading.setAttribute('aria-sort', order);
    const sign = order === 'descending' ? -1 : 1;
    rows.sort((a, b) => {
      const x = valueOf(a, index), y = valueOf(b, index);
      if (order === 'none' || (x === null && y === null)) return a.place - b.place;
      if (x === null || y === null) return x === null ? 1 : -1;
      return sign * compareValues(x, y) || a.place - b.place;
    });
    body.append(...rows);
  };

  // ---- claims by verdict: a button for each that there is
  const filters = (table, verdicts) => make('p', { class: 'filters', role: 'group', 'aria-label': 'Show claims by verdict' },
    ['', ...new Set(verdicts)].map(name => make('button', { type: 'button', 'data-show': name, 'aria-pressed': name === '' },
      name ? `${name} (${verdicts.filter(other => other === name).length})` : 'all')));
  for (const table of all('table.records')) {
    const verdicts = all(':scope > tbody > tr[data-verdict]', table).map(row => row.dataset.verdict);
    if (verdicts.length) table.parentElement.before(filters(table, verdicts));
  }
  const showVerdict = button => {
    for (const other of all('button', button.parentElement)) other.setAttribute('aria-pressed', other === button);
    for (const row of all('tr[data-verdict]', button.closest('section')))
      row.hidden = button.dataset.show !== '' && row.dataset.verdict !== button.dataset.show;
  };

  // ---- traces
  const panel = document.getElementById('trace');
  let opened = null, loading = null;
  const load = () => loading || (loading = new Promise((resolve, reject) => {
    const script = make('script', { src: 'trials.js' });
    script.onload = () => resolve(window.warpstudy_trials);
    script.onerror = () => reject(new Error('trials.js is not beside this page'));
    document.head.append(script);
  }));

  const shellWord = text => /^[A-Za-z0-9_.\/:+,@%-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
  const database = () => shellWord(document.body.dataset.database || '');
  const facts = pairs => {
    const shown = pairs.filter(pair => pair && pair[1] !== undefined && pair[1] !== null && pair[1] !== '');
    return shown.length ? make('dl', {}, shown.map(([title, text]) =>
      [make('dt', {}, title), make('dd', {}, text instanceof Node ? text : String(text))])) : null;
  };
  // A table; columns in which nothing stands are left out.
  const grid = (name, titles, rows) => {
    const filled = titles.map((_, index) => index).filter(index => rows.some(row => row[index] !== null && row[index] !== undefined));
    return make('div', { class: 'scroll' }, make('table', { class: name },
      make('thead', {}, make('tr', {}, filled.map(index => make('th', { scope: 'col' }, titles[index])))),
      make('tbody', {}, rows.map(row => make('tr', {}, filled.map(index =>
        make(index ? 'td' : 'th', index ? {} : { scope: 'row' }, String(row[index] ?? '-'))))))));
  };

  const throttles = ['idle', 'clocks set', 'power cap', 'heat', 'power brake', 'other'];
  const throttled = bits => throttles.filter((name, bit) => bits & (1 << bit)).join(', ') || 'none';
  const reading = ([moment, heat, power, sm, memory, bits, others]) => [moment, heat, power, sm, memory, throttled(bits), others];

  const traceAttempt = (data, attempt) => {
    const samples = attempt.repetitions || [];
    return make('details', { 'data-attempt': attempt.id, ...(samples.length || attempt.bounces ? { open: '' } : {}) },
      make('summary', {}, `${attempt.collection}, attempt ${attempt.number}: ${attempt.status}`,
        attempt.superseded ? ' (superseded)' : ''),
      facts([['run', attempt.run], ['time', `${attempt.started} to ${attempt.finished || '?'}`], ['reason', attempt.reason],
        ['stopped', attempt.stop], ['cooled', attempt.cooled && `${attempt.cooled} s`], ['image', attempt.image],
        ['path hash', attempt.path_hash], ['counts', attempt.digest], ['passes', attempt.passes],
        ['times', samples.length && !attempt.times ? 'mean nothing: this device has no clock' : '']]),
      samples.length ? grid('samples', ['no.', 'host s', 'device s', 'gaps s', 'SM MHz', 'launches', 'auxiliary'],
        samples.map((sample, index) => [index, ...sample])) : null,
      attempt.conditions ? grid('conditions', ['device', '°C', 'W', 'SM MHz', 'memory MHz', 'throttled by', 'other programs'],
        attempt.conditions.map(reading)) : null,
      attempt.bounces ? grid('bounces', ['bounce', 'active paths', 'active warps'], attempt.bounces) : null);
  };

  const traceRun = (data, id) => {
    const run = data.runs[id];
    if (!run) return null;
    const environment = run.environment || {};
    return make('details', { 'data-run': id }, make('summary', {}, `run ${id}${run.label ? ', ' + run.label : ''}: ${run.experiment}`),
      facts([['command', make('code', {}, run.command)], ['experiment', run.path], ['from', run.started], ['to', run.ended],
        ['ended', run.reason], ...Object.entries(environment)]));
  };

  const traceTrial = (data, id, open) => {
    const trial = data.trials[id];
    const runs = [...new Set([...(trial.runs || []), ...trial.attempts.map(attempt => attempt.run)])];
    const commits = [...new Set(trial.attempts.map(attempt => (data.runs[attempt.run] || {}).environment?.commit))];
    const changed = Object.entries(trial.parameters || {}).map(([name, value]) => `${name}=${value}`).join(' ');
    return make('details', { 'data-trial': id, ...(open ? { open: '' } : {}) },
      make('summary', {}, `trial ${id}: ${trial.variant}, ${trial.scene}, replicate ${trial.replicate}`),
      facts([['key', trial.key], ['scene', trial.scene + (trial.camera ? `, camera ${trial.camera}` : ", the scene's first camera")],
        ['parameters', changed ? `${changed} (all others: default)` : 'all default'],
        ['device', `${trial.device} (${trial.device_name})`], ['driver', trial.driver], ['policy', trial.policy],
        ['commit', commits.filter(Boolean).join(', ')], ['origin', trial.origin], ['created', trial.created],
        ['command', make('code', {}, [...new Set(runs.map(run => (data.runs[run] || {}).command))].filter(Boolean).join('; '))],
        ['more', make('code', {}, `warpstudy show ${id} --db ${database()}`)]]),
      trial.attempts.map(attempt => traceAttempt(data, attempt)), runs.map(run => traceRun(data, run)));
  };

  // The file holds so many; where more are named it leaves some out.
  const leftOut = (data, ids) => {
    const missing = ids.filter(id => !data.trials[id]);
    return missing.length ? make('p', { class: 'left-out' }, `Not in trials.js: ${missing.length} of these, as the page names ${data.cited} trials and ` +
      `the file holds ${Object.keys(data.trials).length}. `, make('code', {}, `warpstudy show ${missing[0]} --db ${database()}`)) : '';
  };

  const textOf = (cell, selector) => {
    const part = cell.querySelector(selector);
    return part ? part.textContent.trim() : '';
  };
  const footnotes = cell => [...(cell.dataset.f || '')].map(letter => {
    const place = cell.closest('.panel, section').querySelector(`.footnotes [data-flag="${letter}"]`);
    return make('li', {}, place ? place.textContent : letter);
  });
  const headingOf = cell => {
    const heading = cell.closest('table').tHead.rows[0].cells[cell.cellIndex];
    return [textOf(heading, 'button') || heading.textContent.trim(), textOf(heading, '.unit')];
  };

  const trace = async button => {
    const cell = button.closest('td'), table = cell.closest('table'), [title, unit] = headingOf(cell);
    const ids = (cell.dataset.t || '').split(' ').filter(Boolean), { v, l, h, r } = cell.dataset, notes = footnotes(cell);
    if (opened) opened.classList.remove('open');
    opened = button;
    button.classList.add('open');
    const close = make('button', { type: 'button', class: 'close' }, 'close');
    close.onclick = closeTrace;
    panel.replaceChildren(close, make('h2', { id: 'trace-title' }, `${title}: ${cell.parentElement.cells[0].textContent.trim()}`),
      make('p', { class: 'aside' }, table.caption.textContent), facts([['value', v === undefined ? 'not measured' : `${v}${unit && ' ' + unit}`],
        ['95 %', l && `${l} to ${h}`], ['paper', textOf(cell, '.p')], ['ratio', r]]) || '',
      notes.length ? make('ul', { class: 'flags' }, notes) : '', make('h3', {}, `${ids.length} trial${ids.length === 1 ? '' : 's'}: ${ids.join(', ')}`));
    panel.hidden = false;
    panel.scrollTop = 0;
    document.body.classList.add('tracing');
    panel.focus();
    try {
      const data = await load();
      if (opened === button) panel.append(...ids.filter(id => data.trials[id]).map((id, index) => traceTrial(data, id, index === 0)), leftOut(data, ids));
    } catch (problem) {
      panel.append(make('p', {}, problem.message));
    }
    panel.append(make('p', {}, 'Raw rows: ', make('code', {},
      `warpstudy query --db ${database()} "SELECT * FROM attempt WHERE trial IN (${ids.join(', ')})"`)));
    panel.dataset.done = ids.join(' ');
  };
  const closeTrace = () => {
    panel.hidden = true;
    delete panel.dataset.done;
    document.body.classList.remove('tracing');
    if (!opened) return;
    opened.classList.remove('open');
    opened.focus();
    opened = null;
  };

  // ---- keys: one cell of a table is in the order of tabs, arrows go to its neighbours
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const move = (button, [down, right]) => {
    const table = button.closest('table'), rows = [...table.tBodies[0].rows];
    let row = rows.indexOf(button.closest('tr')) + down, column = button.closest('td').cellIndex + right;
    for (; rows[row] && rows[row].cells[column]; row += down, column += right) {
      const next = rows[row].cells[column].querySelector(':scope > button.v');
      if (!next) continue;
      button.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return true;
    }
    return false;
  };
  for (const table of all('table.data')) all(':scope > tbody > tr > td > button.v', table).forEach((button, index) => {
    button.tabIndex = index ? -1 : 0;
  });

  // ---- a hint where a table is wider than the screen
  const hint = () => { for (const box of all('main .scroll')) box.classList.toggle('wide', box.scrollWidth > box.clientWidth + 1); };
  addEventListener('resize', hint);
  document.addEventListener('toggle', hint, true);
  hint();

  document.addEventListener('click', event => {
    const button = event.target.closest('button');
    if (!button) return;
    if (button.matches('.sort')) sortBy(button.closest('th'));
    else if (button.matches('td > .v')) trace(button);
    else if (button.matches('[data-show]')) showVerdict(button);
  });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !panel.hidden) closeTrace();
    else if (step[event.key] && event.target.matches('td > button.v') && move(event.target, step[event.key])) event.preventDefault();
  });

  // ---- folded parts open for a link to them and for the printer
  const reveal = () => {
    let place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const target = place;
    for (; place; place = place.parentElement) if (place.matches('details')) place.open = true;
    if (target) target.scrollIntoView();
  };
  let folded = [];
  addEventListener('hashchange', reveal);
  addEventListener('beforeprint', () => {
    folded = all('main details:not([open])');
    for (const details of folded) details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of folded) details.open = false; });
  reveal();
})();
