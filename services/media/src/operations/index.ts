/** Every operation of media. */
import type { OperationDoor } from '@murmuration/kernel'

export const operations: readonly OperationDoor[] = []
