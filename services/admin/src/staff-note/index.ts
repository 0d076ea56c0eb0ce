/** Notes of staff, for undo and for the deletion of accounts. */
export {
  deleteNotesOfAccount,
  deleteStaffNote,
  insertStaffNote,
  lockStaffNote,
  type StaffNoteRow,
} from './store.js'
export { hiddenNote } from './view.js'
