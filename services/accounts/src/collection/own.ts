/** Reads the collection of a request and checks that the viewer may change or read it. */
import { fail, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Reader } from '@murmuration/db'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { type CollectionRow, collectionById } from './store.js'

const refused = () => fail('forbidden', 'This action is not allowed')

/** Reads a collection that is to be changed. Throws unless the viewer is its owner. */
export const ownCollection = async (db: Reader, viewer: Viewer, id: string): Promise<CollectionRow> => {
  const row = await collectionById(db, id)
  if (!row) throw notFound()
  if (row.account_id !== viewer.id) throw refused()
  return row
}

/** Returns a collection that the viewer may read. Accounts that the owner blocks may not read the collection. */
export const visibleCollection = async (
  db: Reader,
  viewer: string | null,
  id: string,
  at: Date,
): Promise<CollectionRow> => {
  const row = await collectionById(db, id)
  if (!row || row.owner_suspended) throw notFound()
  if (viewer === null || viewer === row.account_id) return row
  const [relationship] = await relationshipsOfViewer(db, viewer, [row.account_id], at)
  if (!relationship || relationship.blocked_by) throw refused()
  return row
}
