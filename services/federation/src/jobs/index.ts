/** Every job of federation. */
import type { JobDoor } from '@murmuration/kernel'
import { consultOrigin } from './consult-origin.js'
import { deliver } from './deliver.js'
import { lookAgain } from './look-again.js'
import { makeArchive } from './make-archive.js'
import { meetReader } from './meet-reader.js'
import { process } from './process.js'
import { readRelayed } from './read-relayed.js'
import { synchronise } from './synchronise-followers.js'
import { tellPoll } from './tell-poll.js'
import { tellProfile } from './tell-profile.js'

export const jobs: readonly JobDoor[] = [
  consultOrigin,
  deliver,
  lookAgain,
  makeArchive,
  meetReader,
  process,
  readRelayed,
  synchronise,
  tellPoll,
  tellProfile,
]
