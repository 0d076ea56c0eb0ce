/** Every job of notifications. */
import type { JobDoor } from '@murmuration/kernel'

export const jobs: readonly JobDoor[] = []
