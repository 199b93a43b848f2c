// Requests that Python works out, and what becomes of them: "shaped" with what is chosen then, or "shape_refused" with a place.

const waiting = new WeakMap(); // view -> Map(seq -> {done, refused})

export function listen(view) {
  const open = new Map(), { store } = view;
  waiting.set(view, open);
  const answer = (what) => ({ message }) => {
    if (message.client !== store.client || !open.has(message.seq)) return;
    const found = open.get(message.seq);
    open.delete(message.seq);
    found[what]?.(message);
    view.stage.redraw(2);
  };
  view.unsubscribe.push(store.on("shaped", answer("done")), store.on("shape_refused", answer("refused")));
}

/** Ask for a change. guess: an edit shown until the answer is there; touches: ids that a refusal brings back. */
export function ask(view, action, detail, { guess = null, touches = null, done = null, refused = null } = {}) {
  const { store } = view;
  if (store.dead || store.readonly) return 0;
  const ids = touches || (guess ? guess.edits.map((edit) => edit.record?.id || edit.id) : []);
  store.request("shape", { action, ...detail }, guess, ids.length ? ids : [""]);
  waiting.get(view).set(store.seq, { done, refused });
  return store.seq;
}
