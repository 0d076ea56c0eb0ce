/** Sorts test files: the longest start first, so that no worker ends long after the other workers. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Ends of the paths of slow test files, slowest file first. Each takes more than 30 seconds in a run of all tests on two cores. */
export const SLOWEST_FILES: readonly string[] = [
  'e2e/failure/processes.test.ts',
  'services/federation/test/delivery-faults.test.ts',
  'services/federation/test/orders.test.ts',
  'e2e/shipping/start.test.ts',
  'e2e/failure/suspects.test.ts',
  'e2e/failure/kill.test.ts',
  'e2e/failure/leases.test.ts',
  'e2e/failure/federation-restart.test.ts',
  'services/federation/test/unknown-readers.test.ts',
  'services/federation/test/one-origin.test.ts',
  'services/federation/test/statuses.test.ts',
  'services/federation/test/relations.test.ts',
  'services/federation/test/delivery-time-outs.test.ts',
  'services/federation/test/delivery-probes.test.ts',
  'services/federation/test/delivery-crash.test.ts',
  'packages/kernel/test/backlog.test.ts',
  'services/federation/test/delivery-store.test.ts',
  'services/federation/test/redelivery.test.ts',
  'packages/kernel/test/suspects.test.ts',
]

const rankOf = (path: string): number => {
  const rank = SLOWEST_FILES.findIndex((end) => path.endsWith(end))
  return rank === -1 ? SLOWEST_FILES.length : rank
}

/** Sorts test files. Within consecutive files of one group, the slowest ones of `SLOWEST_FILES` are first. */
export const longestFirst = <T>(
  files: readonly T[],
  { path, group }: { path(file: T): string; group(file: T): unknown },
): T[] => {
  const runs: T[][] = []
  let before: unknown
  for (const file of files) {
    const run = runs.at(-1)
    if (run && group(file) === before) run.push(file)
    else runs.push([file])
    before = group(file)
  }
  return runs.flatMap((run) => run.toSorted((a, b) => rankOf(path(a)) - rankOf(path(b))))
}

/** The test files of one project stay together, because they share workers. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return longestFirst(sorted, { path: (file) => file.moduleId, group: (file) => file.project })
  }
}
