import {
  addVersion,
  committed,
  count,
  HOUR,
  INITIAL,
  type Input,
  iso,
  JOURNAL_LENGTH,
  latest,
  newVal,
  type Output,
  type Part,
  replaceVal,
  SHOWN_COMMITS,
  show,
  sorted,
  strike,
  type ValPart,
  withState,
} from './part.js';

type Result = readonly [part: Part, status: number, shown?: string];

/** A projection with the ids that the emulator draws, in their order. */
export class Projection {
  readonly #ids: readonly string[];

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  /** Returns the next part. Undefined if the response must be another one. */
  step(part: Part, input: Input, output: Output | undefined): Part | undefined {
    if (input.number !== undefined && input.number !== part.journal.count + 1) return undefined;
    const [next, expected] = this.respond(part, input);
    if (!output) return next;
    const isSame =
      expected.status === output.status &&
      expected.remaining === output.remaining &&
      (expected.date === undefined || expected.date === output.date) &&
      expected.shown === output.shown;
    return isSame ? next : undefined;
  }

  /** Whether a request without a response can be the next: it cannot take the number of a request under way. */
  mayHappen({ isOpen, journal }: Part, input: Input, others: readonly Input[]): boolean {
    if (!isOpen || input.user === undefined || input.number !== undefined) return true;
    return others.every(({ number }) => number !== journal.count + 1);
  }

  /** Returns the next part and the response. */
  respond(part: Part, input: Input): [part: Part, output: Output] {
    if (input.user !== undefined && part.isOpen) return this.#respondToApi(part, input, input.user);
    const [next, status, shown = ''] = part.isOpen || input.route === 'open' ? this.#control(part, input) : [part, 404];
    return [next, { status, remaining: undefined, date: undefined, shown }];
  }

  #respondToApi(part: Part, input: Input, user: string): [part: Part, output: Output] {
    const { journal } = part;
    const [counted, remaining, isOver] = count(part, user);
    const [passed, fault] = isOver ? [counted, undefined] : strike(counted, input);
    const [handled, status, shown = ''] = isOver
      ? ([passed, 429] as const)
      : fault !== undefined
        ? ([passed, fault] as const)
        : this.#handle(passed, input, user);
    const isWrite = handled !== passed;
    const recorded = isWrite ? committed(part, handled, `r${journal.count + 1}`, input.route) : handled;
    const size = Math.min(journal.size + 1, JOURNAL_LENGTH);
    const date = Math.floor(part.state.now / 1_000);
    return [
      { ...recorded, journal: { count: journal.count + 1, size } },
      { status, remaining, date, shown },
    ];
  }

  #nextId(part: Part): string {
    return this.#ids[part.state.draws] ?? `draw ${part.state.draws}`;
  }

  #create(part: Part, user: string, name: string, privacy: string, readme: string | null): Result {
    const val = newVal(this.#nextId(part), user, name, privacy, readme);
    const { vals, draws } = part.state;
    return [withState(part, { vals: [...vals, val], draws: draws + 1 }), 200, show(val)];
  }

  #handle(part: Part, { route, id, version, body }: Input, user: string): Result {
    const { vals } = part.state;
    const isVisible = (val: ValPart) => val.privacy !== 'private' || val.author === user;
    const byName = (name: string) => vals.find((val) => val.author === user && val.name === name);
    const visible = vals.find((val) => val.id === id && isVisible(val));
    const own = visible?.author === user ? visible : undefined;
    const mine = vals.filter(({ author }) => author === user);
    switch (route) {
      case 'POST /v1/vals':
        if (body.code === undefined) return [part, 400];
        if (byName(body.name)) return [part, 409];
        return this.#create(part, user, body.name, body.privacy, body.readme);
      case 'PUT /v1/vals': {
        const val = byName(body.name);
        if (!val) return this.#create(part, user, body.name, 'private', null);
        const added = addVersion(val);
        return [replaceVal(part, added), 200, show(added)];
      }
      case 'PUT /v1/vals/{val_id}': {
        if (!own) return [part, 404];
        const namesake = body.name === undefined ? undefined : byName(body.name);
        if (namesake && namesake !== own) return [part, 409];
        return [replaceVal(part, { ...own, ...body }), 204];
      }
      case 'POST /v1/vals/{val_id}/versions': {
        if (!own) return [part, 404];
        const added = addVersion(own);
        return [replaceVal(part, added), 201, show(added)];
      }
      case 'DELETE /v1/vals/{val_id}':
        if (!own) return [part, 404];
        return [withState(part, { vals: vals.filter((val) => val !== own) }), 204];
      case 'DELETE /v1/vals/{val_id}/versions/{version}': {
        if (!own?.versions.includes(version)) return [part, 404];
        if (own.versions.length === 1) return [part, 400];
        return [replaceVal(part, { ...own, versions: own.versions.filter((each) => each !== version) }), 204];
      }
      case 'GET /v1/vals/{val_id}':
        return visible ? [part, 200, show(visible)] : [part, 404];
      case 'GET /v1/vals/{val_id}/versions':
        return visible ? [part, 200, sorted(visible.versions.map(String))] : [part, 404];
      case 'GET /v1/vals/{val_id}/versions/{version}':
        return visible?.versions.includes(version) ? [part, 200, show(visible, version)] : [part, 404];
      case 'GET /v1/vals/{val_id}/runs':
        return own ? [part, 200, sorted(own.runs)] : [part, 404];
      case 'GET /v1/me/runs':
        return [part, 200, sorted(mine.flatMap(({ runs }) => runs))];
      case 'GET /v1/me/likes':
        return [part, 200, sorted(vals.flatMap((val) => (val.likes.includes(user) && isVisible(val) ? val.id : [])))];
      case 'GET /v1/me/comments': {
        const isMine = (val: ValPart) => val.comments.filter((by) => val.author === user || by === user).length;
        return [part, 200, String(vals.filter(isVisible).reduce((sum, val) => sum + isMine(val), 0))];
      }
      case 'GET /v1/users/{user_id}/vals': {
        const listed = vals.filter(({ author, privacy }) => author === id && (author === user || privacy === 'public'));
        return [part, 200, sorted(listed.map((val) => `${val.id}:${latest(val)}`))];
      }
      case 'GET /v1/runs/{run_id}':
        return mine.some(({ runs }) => runs.includes(id)) ? [part, 200, id] : [part, 404];
      case 'GET /v1/alias/{username}/{val_name}': {
        const val = vals.find(({ author, name }) => author === id && name === body.name);
        return val && isVisible(val) ? [part, 200, show(val)] : [part, 404];
      }
      case 'GET /v1/none':
        return [part, 404];
      case 'GET /v1/blob':
        return [part, 501];
      default:
        return [part, 200];
    }
  }

  /** A write of the control API that the history has. */
  #update(part: Part, { route }: Input, next: Part, status: number, shown = ''): Result {
    const id = `w${part.updates + 1}`;
    const [method, noun] = route.split(' ');
    const operation = `${method} /_emulator/${noun}`;
    return [{ ...committed(part, next, id, operation), updates: part.updates + 1 }, status, shown];
  }

  #control(part: Part, input: Input): Result {
    const { route, id, body } = input;
    const { state, snapshots, history, journal } = part;
    const target = state.vals.find(({ author, name }) => `${author}/${name}` === body?.val);
    const draws = { draws: state.draws + 1 };
    const drawn = this.#nextId(part);
    switch (route) {
      case 'open':
        return [part.isOpen ? part : INITIAL, 200];
      case 'close':
        return [{ ...INITIAL, isOpen: false }, 204];
      case 'POST reset':
      case 'PUT seed':
        return [{ ...INITIAL, snapshots }, 204];
      case 'POST snapshots': {
        const others = snapshots.filter(({ name }) => name !== body.name);
        const snapshot = { name: body.name, time: state.now, state };
        return [{ ...part, snapshots: [...others, snapshot] }, 201, iso(state.now)];
      }
      case 'POST restore': {
        const snapshot = snapshots.find(({ name }) => name === id);
        return snapshot ? [{ ...part, state: snapshot.state, history: [] }, 204] : [part, 404];
      }
      case 'DELETE snapshots': {
        const others = snapshots.filter(({ name }) => name !== id);
        return others.length < snapshots.length ? [{ ...part, snapshots: others }, 204] : [part, 404];
      }
      case 'POST rewind': {
        const kept = history.length - body.steps;
        const commit = history[kept];
        return commit ? [{ ...part, state: commit.before, history: history.slice(0, kept) }, 204] : [part, 404];
      }
      case 'PUT clock': {
        const now = state.now + body.advance;
        return [withState(part, { now }), 200, iso(now)];
      }
      case 'POST faults': {
        const { route: armed, status, after, times } = body;
        const fault = { id: `f${state.faultCount + 1}`, route: armed, status, after, times, seen: 0, hits: 0 };
        const changes = { faults: [...state.faults, fault], faultCount: state.faultCount + 1 };
        return [withState(part, changes), 201, fault.id];
      }
      case 'DELETE faults':
        return [withState(part, { faults: [] }), 204];
      case 'PUT rate-limit': {
        const limit = body.limit === null ? null : { limit: body.limit, window: HOUR };
        const next = withState(part, { limit, windows: {} });
        return this.#update(part, input, next, 200, `${body.limit} `);
      }
      case 'POST likes': {
        if (!target || target.likes.includes(body.user)) return [part, 422];
        return this.#update(part, input, replaceVal(part, { ...target, likes: [...target.likes, body.user] }), 201);
      }
      case 'POST comments': {
        if (!target) return [part, 422];
        const next = replaceVal(part, { ...target, comments: [...target.comments, body.author] });
        return this.#update(part, input, withState(next, draws), 201, drawn);
      }
      case 'POST runs': {
        if (!target) return [part, 422];
        const next = replaceVal(part, { ...target, runs: [...target.runs, drawn] });
        return this.#update(part, input, withState(next, draws), 201, drawn);
      }
      case 'POST fork':
        return [part, 201];
      case 'DELETE requests':
        return [{ ...part, journal: { ...journal, size: 0 } }, 204];
      default:
        return [part, ...this.#read(part, route)];
    }
  }

  #read({ state, snapshots, history, journal }: Part, route: string): [status: number, shown: string] {
    switch (route) {
      case 'GET clock':
        return [200, iso(state.now)];
      case 'GET faults':
        return [200, state.faults.map(({ id, seen, hits }) => `${id}:${seen}:${hits}`).join(' ')];
      case 'GET snapshots':
        return [200, snapshots.map(({ name, time }) => `${name}@${iso(time)}`).join(' ')];
      case 'GET history':
        return [
          200,
          history
            .slice(-SHOWN_COMMITS)
            .map(({ id, request }) => `${id}=${request}`)
            .join(' '),
        ];
      case 'GET rate-limit': {
        const { limit, windows, now } = state;
        const active = Object.entries(windows).filter(([, { start }]) => limit && start > now - limit.window);
        return [200, `${limit?.limit ?? null} ${sorted(active.map(([user, { requests }]) => `${user}:${requests}`))}`];
      }
      case 'GET requests': {
        const length = Math.min(3, journal.size);
        return [200, Array.from({ length }, (_, i) => `r${journal.count - length + 1 + i}`).join(' ')];
      }
      case 'GET state':
        return [200, sorted(state.vals.map((val) => `${val.id}:${latest(val)}:${val.comments.length}`))];
      default:
        return [200, ''];
    }
  }
}
