/** View of helpers for people. Pure. */
import type { HelperView } from '../../contract/src/settings/pool.ts';
import type { Heartbeat, Capability } from './messages.ts';
import type { ObservedHelper } from './queue/registry.ts';

interface ViewContext {
  /** Id of this machine. */
  me: string;
  /** Why a helper gets nothing from this machine now. */
  asideNow: (id: string) => string | undefined;
  skillOf: (model: string) => Omit<Capability, 'megapixelsPerSecond'> | undefined;
  /** Why another machine quarantined this one. */
  ownAside: string | undefined;
}

export function viewOfHelpers(heard: readonly ObservedHelper[], seeing: ViewContext): HelperView[] {
  return heard
    .map((one) => viewOf(one, seeing))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

function viewOf({ heartbeat, isAway }: ObservedHelper, seeing: ViewContext): HelperView {
  const { me, asideNow, ownAside } = seeing;
  const isThis = heartbeat.id === me;
  const aside = isThis ? ownAside : asideNow(heartbeat.id);
  const reason = aside ?? (isThis || isAway ? undefined : whyUnable(heartbeat, seeing));
  return {
    id: heartbeat.id,
    name: heartbeat.name,
    isThis,
    state: stateOf(heartbeat, isAway, aside),
    ...(reason !== undefined && { reason }),
    speeds: heartbeat.skills.map(({ model, precision, megapixelsPerSecond }) => ({
      model,
      precision,
      ...(megapixelsPerSecond !== undefined && { megapixelsPerSecond }),
    })),
    doing: heartbeat.doing.map(({ taskId, submitter, model, percent }) => ({
      taskId,
      isOwn: submitter === me,
      model,
      progress: percent,
    })),
    finished: heartbeat.finished,
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

/** A sentence on what differs, if the helper runs no network like this machine. */
function whyUnable({ skills }: Heartbeat, { skillOf }: ViewContext): string | undefined {
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
