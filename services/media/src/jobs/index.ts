/** Every job of media. */
import type { JobDoor } from '@murmuration/kernel'
import { clearDomain } from './clear-domain.js'
import { fetchRemote } from './fetch-remote.js'
import { process } from './process.js'

export const jobs: readonly JobDoor[] = [clearDomain, fetchRemote, process]
