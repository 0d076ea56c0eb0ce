/** Every operation of admin. */
import type { OperationDoor } from '@murmuration/kernel'

export const operations: readonly OperationDoor[] = []
