/** All kinds of tasks of media. */
import { mediaTasks } from '@murmuration/contracts/media'
import { taskHandlers } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { purgeEmojiKind } from '../emoji/index.js'
import { orphansKind, refreshKind, removeKind, usageKind } from '../upkeep/index.js'

export const tasks = taskHandlers<Context>(mediaTasks, [
  orphansKind,
  purgeEmojiKind,
  refreshKind,
  removeKind,
  usageKind,
])
