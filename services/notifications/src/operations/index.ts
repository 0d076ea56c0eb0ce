/** Every operation of notifications. */
import type { OperationDoor } from '@murmuration/kernel'

export const operations: readonly OperationDoor[] = []
