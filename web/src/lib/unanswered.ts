// What was asked under an id of its own and not answered before the page was loaded anew, or left: whoever comes back is told,
// so that money is not given twice. It stays with the tab, and what was asked is not in it.

const KEPT = 'natural9-unanswered';
type Asked = Record<string, number>; // when each was asked, by its id

/** From now on nobody knows what becomes of it. */
export function asked(request: string): void {
  keep({ [request]: Date.now(), ...unanswered() });
}

/** It is known, or somebody has looked. */
export function answered(...requests: string[]): void {
  keep(Object.fromEntries(Object.entries(unanswered()).filter(([request]) => !requests.includes(request))));
}

export function unanswered(): Asked {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Asked;
  } catch {
    return {};
  }
}

function keep(all: Asked): void {
  try {
    if (Object.keys(all).length) sessionStorage.setItem(KEPT, JSON.stringify(all));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // a browser that keeps nothing cannot tell
  }
}
