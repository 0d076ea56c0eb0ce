/** Groups blocks and mutes by viewer. */
import type { BlockState } from '@murmuration/contracts/accounts'

export const byViewer = (rows: readonly (BlockState & { viewer: string })[]): Record<string, BlockState[]> => {
  const states: Record<string, BlockState[]> = {}
  for (const { viewer, ...blockState } of rows) {
    states[viewer] ??= []
    states[viewer].push(blockState)
  }
  return states
}
