// A few words that the browser keeps for this terminal; one that keeps nothing still plays.

const PREFIX = 'natural9-terminal-';

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // nothing was kept
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // nothing to be done, and nothing lost but the choice
  }
}
