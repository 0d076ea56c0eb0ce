/** Collects the entry points of a service from its modules, by what starts them. */
import type { Door, JobDoor, OperationDoor, ReactionDoor, TickDoor } from './doors.js'

export interface EntryPoints {
  readonly operations: readonly OperationDoor[]
  readonly reactions: readonly ReactionDoor[]
  readonly jobs: readonly JobDoor[]
  readonly ticks: readonly TickDoor[]
}

const isDoor = (value: unknown): value is Door<string> =>
  typeof value === 'object' && value !== null && typeof (value as { door?: unknown }).door === 'string'

/** Sorts the exports of modules, or the members of lists, by kind. Values that are no entry points are left out. */
export const entryPoints = (...sources: readonly object[]): EntryPoints => {
  const all = [...new Set(sources.flatMap((source) => Object.values(source) as unknown[]).filter(isDoor))]
  const of = <D extends Door<string>>(kind: D['door']): D[] => all.filter((one): one is D => one.door === kind)
  return {
    operations: of<OperationDoor>('operation'),
    reactions: of<ReactionDoor>('reaction'),
    jobs: of<JobDoor>('job'),
    ticks: of<TickDoor>('tick'),
  }
}
