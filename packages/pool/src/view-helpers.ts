/** Describes helpers as a person sees them. This is pure. */
import type { HelperView } from '../../../electron/contract/settings/pool.ts';
import type { Heartbeat, Skill } from './messages.ts';
import type { HeardHelper } from './queue/registry.ts';

interface Seeing {
  /** This machine's id. */
  me: string;
  /** Tells why a helper gets nothing from this machine now. */
  asideNow: (id: string) => string | undefined;
  skillOf: (model: string) => Omit<Skill, 'megapixelsPerSecond'> | undefined;
  /** The reason why another machine set this one aside. */
  ownAside: string | undefined;
}

export function viewOfHelpers(heard: readonly HeardHelper[], seeing: Seeing): HelperView[] {
  return heard
    .map((one) => viewOf(one, seeing))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

function viewOf({ word, isAway }: HeardHelper, seeing: Seeing): HelperView {
  const { me, asideNow, ownAside } = seeing;
  const isThis = word.id === me;
  const aside = isThis ? ownAside : asideNow(word.id);
  const reason = aside ?? (isThis || isAway ? undefined : whyUnable(word, seeing));
  return {
    id: word.id,
    name: word.name,
    isThis,
    state: stateOf(word, isAway, aside),
    ...(reason !== undefined && { reason }),
    speeds: word.skills.map(({ model, precision, megapixelsPerSecond }) => ({
      model,
      precision,
      ...(megapixelsPerSecond !== undefined && { megapixelsPerSecond }),
    })),
    doing: word.doing.map(({ taskId, submitter, model, percent }) => ({
      taskId,
      isOwn: submitter === me,
      model,
      progress: percent,
    })),
    finished: word.finished,
  };
}

function stateOf(
  { slots, doing }: Heartbeat,
  isAway: boolean,
  aside: string | undefined,
): HelperView['state'] {
  if (isAway) return 'away';
  if (aside !== undefined) return 'aside';
  if (doing.length > 0) return 'working';
  return slots === 0 ? 'busy' : 'idle';
}

/** Says in a sentence what differs where the helper runs no network as this machine does. */
function whyUnable({ skills }: Heartbeat, { skillOf }: Seeing): string | undefined {
  const reasons = skills.map((skill) => {
    const own = skillOf(skill.model);
    if (!own) return `This machine has no ${skill.model}, or has not measured it yet.`;
    if (own.digest !== skill.digest)
      return `Its ${skill.model} is another version than this machine's: update both.`;
    if (own.precision !== skill.precision)
      return `It runs ${skill.model} in ${skill.precision}, this machine in ${own.precision}: results would differ.`;
    return undefined;
  });
  if (skills.length === 0) return 'It has not measured its networks yet.';
  return reasons.includes(undefined) ? undefined : reasons.find((one) => one !== undefined);
}
