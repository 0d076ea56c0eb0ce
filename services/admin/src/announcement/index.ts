/** The exports of this module for other modules. */
export { sendAnnouncements, sendRemoval } from './notify.js'
export {
  type AnnouncementRow,
  forgetReader,
  lockAnnouncement,
  published,
  putAnnouncement,
  removeAnnouncement,
  restoreAnnouncement,
} from './store.js'
