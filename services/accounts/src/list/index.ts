/** The exports of this module for other modules. */
export { countLists, insertList, insertMembers, listByTitle, listOfOwner, mayBeMembers } from './store.js'
