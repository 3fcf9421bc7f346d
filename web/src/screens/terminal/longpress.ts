// A press that is held: what it does instead of the tap. A finger that moves away is no press.

const HELD_MS = 600;
const MOVED_PX = 12;

export function longPress(held: () => void): (node: HTMLElement) => () => void {
  return (node) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [x, y, done] = [0, 0, false];
    const on = {
      pointerdown: (event: PointerEvent) => {
        clearTimeout(timer);
        [x, y, done] = [event.clientX, event.clientY, false];
        if (event.button === 0) {
          timer = setTimeout(() => {
            done = true;
            held();
          }, HELD_MS);
        }
      },
      pointermove: (event: PointerEvent) => {
        if (Math.hypot(event.clientX - x, event.clientY - y) > MOVED_PX) clearTimeout(timer);
      },
      pointerup: () => clearTimeout(timer),
      pointercancel: () => clearTimeout(timer),
      pointerleave: () => clearTimeout(timer),
      contextmenu: (event: Event) => event.preventDefault(), // a finger that is held would open the browser's own
    };
    const click = (event: MouseEvent): void => {
      if (!done || event.detail === 0) return; // a key is no finger
      done = false;
      event.stopImmediatePropagation();
      event.preventDefault();
    };
    for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener as EventListener);
    node.addEventListener('click', click, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const [type, listener] of Object.entries(on)) node.removeEventListener(type, listener as EventListener);
      node.removeEventListener('click', click, { capture: true });
    };
  };
}
