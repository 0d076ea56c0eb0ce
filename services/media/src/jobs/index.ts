/** Every job of media. */
import type { JobDoor } from '@murmuration/kernel'

export const jobs: readonly JobDoor[] = []
