/** Every job of federation. */
import type { JobDoor } from '@murmuration/kernel'

export const jobs: readonly JobDoor[] = []
