/** Every job of admin. */
import type { JobDoor } from '@murmuration/kernel'

export const jobs: readonly JobDoor[] = []
