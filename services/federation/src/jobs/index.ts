/** Every job of federation. */
import type { JobDoor } from '@murmuration/kernel'
import { process } from './process.js'
import { resolve } from './resolve-thread.js'

export const jobs: readonly JobDoor[] = [process, resolve]
