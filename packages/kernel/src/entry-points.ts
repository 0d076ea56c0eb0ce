/** Collects the entry points of a service from its modules, by kind. */
import type { Entry, JobEntry, OperationEntry, ReactionEntry, TickEntry } from './handlers.js'

export interface EntryPoints {
  readonly operations: readonly OperationEntry[]
  readonly reactions: readonly ReactionEntry[]
  readonly jobs: readonly JobEntry[]
  readonly ticks: readonly TickEntry[]
}

const isEntry = (value: unknown): value is Entry<string> =>
  typeof value === 'object' && value !== null && typeof (value as { entry?: unknown }).entry === 'string'

/**
 * Sorts entry points among the exports of modules, or among the members of lists, by kind. Values that are no entry
 * points are left out.
 */
export const entryPoints = (...sources: readonly object[]): EntryPoints => {
  const all = [...new Set(sources.flatMap((source) => Object.values(source) as unknown[]).filter(isEntry))]
  const of = <D extends Entry<string>>(kind: D['entry']): D[] => all.filter((one): one is D => one.entry === kind)
  return {
    operations: of<OperationEntry>('operation'),
    reactions: of<ReactionEntry>('reaction'),
    jobs: of<JobEntry>('job'),
    ticks: of<TickEntry>('tick'),
  }
}
