/** Every operation of media. */
import type { OperationDoor } from '@murmuration/kernel'
import { cards } from './attachment/cards.js'
import { deleteOne } from './attachment/delete.js'
import { formats } from './attachment/formats.js'
import { putRemote } from './attachment/put-remote.js'
import { records } from './attachment/records.js'
import { release } from './attachment/release.js'
import { show } from './attachment/show.js'
import { take } from './attachment/take.js'
import { update } from './attachment/update.js'
import { upload } from './attachment/upload.js'
import { uploadNow } from './attachment/upload-now.js'
import { createEmoji } from './emoji/create.js'
import { findEmojis } from './emoji/find.js'
import { listEmojis } from './emoji/list.js'
import { removeEmoji } from './emoji/remove.js'
import { restoreEmoji } from './emoji/restore.js'
import { updateEmoji } from './emoji/update.js'
import { drop } from './picture/drop.js'
import { make } from './picture/make.js'
import { remote } from './picture/remote.js'
import { show as showProxied } from './proxy/show.js'

export const operations: readonly OperationDoor[] = [
  cards,
  createEmoji,
  deleteOne,
  drop,
  findEmojis,
  formats,
  listEmojis,
  make,
  putRemote,
  records,
  release,
  remote,
  removeEmoji,
  restoreEmoji,
  show,
  showProxied,
  take,
  update,
  updateEmoji,
  upload,
  uploadNow,
]
