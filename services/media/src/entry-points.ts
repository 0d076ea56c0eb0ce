/** Every entry point of media. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as attachmentOperations from './attachment/operations.js'
import * as attachmentProcessJob from './attachment/process.job.js'
import * as attachmentTicks from './attachment/ticks.js'
import * as attachmentUploadOperation from './attachment/upload.operation.js'
import * as dayCountOperations from './day-count/operations.js'
import * as emojiOperations from './emoji/operations.js'
import * as emojiRemoteOperation from './emoji/remote.operation.js'
import * as emojiRestoreOperation from './emoji/restore.operation.js'
import * as pictureOperations from './picture/operations.js'
import * as pictureReactions from './picture/reactions.js'
import * as remoteFileJobs from './remote-file/jobs.js'
import * as remoteFileOperations from './remote-file/operations.js'
import * as remoteFilePutRemoteOperation from './remote-file/put-remote.operation.js'
import * as remoteFileReactions from './remote-file/reactions.js'
import * as remoteFileTicks from './remote-file/ticks.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'
import * as upkeepOperations from './upkeep/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  attachmentOperations,
  attachmentProcessJob,
  attachmentTicks,
  attachmentUploadOperation,
  dayCountOperations,
  emojiOperations,
  emojiRemoteOperation,
  emojiRestoreOperation,
  pictureOperations,
  pictureReactions,
  remoteFileJobs,
  remoteFileOperations,
  remoteFilePutRemoteOperation,
  remoteFileReactions,
  remoteFileTicks,
  taskJobs,
  taskOperations,
  taskTicks,
  upkeepOperations,
)
