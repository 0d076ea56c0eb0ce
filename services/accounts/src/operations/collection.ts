/** Every operation about collections of accounts. */
import type { OperationDoor } from '@murmuration/kernel'
import { getCollectionCards } from './collection/cards.js'
import { changeRemote as changeRemoteCollection } from './collection/change-remote.js'
import { listCollectionsContaining } from './collection/containing.js'
import { createCollection } from './collection/create.js'
import { listCollections } from './collection/list.js'
import { putRemote as putRemoteCollection } from './collection/put-remote.js'
import { getCollectionRecords } from './collection/records.js'
import { removeCollection } from './collection/remove.js'
import { resolveCollection } from './collection/resolve.js'
import { showCollection } from './collection/show.js'
import { getCollectionSources } from './collection/sources.js'
import { changeCollection } from './collection/update.js'
import { addCollectionItem } from './collection-item/add.js'
import { answerItem } from './collection-item/answer.js'
import { showItemAuthorization } from './collection-item/authorization.js'
import { removeCollectionItem } from './collection-item/remove.js'
import { requestItem } from './collection-item/request.js'
import { revokeCollectionItem } from './collection-item/revoke.js'
import { withdrawItem } from './collection-item/withdraw.js'

export const collectionOperations: readonly OperationDoor[] = [
  addCollectionItem,
  answerItem,
  changeCollection,
  changeRemoteCollection,
  createCollection,
  getCollectionCards,
  getCollectionRecords,
  getCollectionSources,
  listCollections,
  listCollectionsContaining,
  putRemoteCollection,
  removeCollection,
  removeCollectionItem,
  requestItem,
  resolveCollection,
  revokeCollectionItem,
  showCollection,
  showItemAuthorization,
  withdrawItem,
]
