/** Groups blocks and mutes by viewer. */
import type { Distance } from '@murmuration/contracts/accounts'

export const byViewer = (rows: readonly (Distance & { viewer: string })[]): Record<string, Distance[]> => {
  const apart: Record<string, Distance[]> = {}
  for (const { viewer, ...distance } of rows) {
    apart[viewer] ??= []
    apart[viewer].push(distance)
  }
  return apart
}
