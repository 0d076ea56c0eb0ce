/** Every job of accounts. */
import type { JobDoor } from '@murmuration/kernel'

export const jobs: readonly JobDoor[] = []
