/** The exports of this module for other modules. */
export { sendAnnouncements, sendRemoval } from './notify.js'
export {
  type AnnouncementRow,
  deleteReader,
  lockAnnouncement,
  published,
  putAnnouncement,
  removeAnnouncement,
  restoreAnnouncement,
} from './store.js'
