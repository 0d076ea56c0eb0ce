/** Every job of statuses. */
import type { JobDoor } from '@murmuration/kernel'

export const jobs: readonly JobDoor[] = []
