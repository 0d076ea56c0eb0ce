/** Groups blocks and mutes by viewer. */
import type { Distance } from '@murmuration/contracts/accounts'

export const byViewer = (rows: readonly (Distance & { viewer: string })[]): Record<string, Distance[]> => {
  const states: Record<string, Distance[]> = {}
  for (const { viewer, ...distance } of rows) {
    states[viewer] ??= []
    states[viewer].push(distance)
  }
  return states
}
