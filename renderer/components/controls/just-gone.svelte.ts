/** A person who meant the button that was there has seen by then that another one took its place. */
const reactionMs = 700;

/** Must be called while a component is made. `isOn` from when `isThere` ends until a click is no longer meant for it. */
export function justGone(isThere: () => boolean): { readonly isOn: boolean } {
  // An effect that reads what decides runs again while the button stays, as Pause becomes Resume.
  const isHere = $derived(isThere());
  let isOn = $state(false);
  $effect.pre(() => {
    if (isHere) {
      isOn = false;
      return () => (isOn = true);
    }
    const timer = setTimeout(() => (isOn = false), reactionMs);
    return () => clearTimeout(timer);
  });
  return {
    get isOn() {
      return isOn;
    },
  };
}
