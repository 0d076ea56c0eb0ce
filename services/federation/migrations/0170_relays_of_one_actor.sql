-- contract: several relays may have the same actor, which is known only from their Accept
drop index if exists relays_actor;
