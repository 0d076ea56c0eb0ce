/** Every operation of federation. */
import type { OperationDoor } from '@murmuration/kernel'

export const operations: readonly OperationDoor[] = []
