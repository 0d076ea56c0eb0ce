/** Every operation of accounts. */
import type { OperationDoor } from '@murmuration/kernel'

export const operations: readonly OperationDoor[] = []
