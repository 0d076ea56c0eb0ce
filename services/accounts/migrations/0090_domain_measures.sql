-- expand: what staff last wanted for the accounts of a domain, so that older work on them stops

-- One row for each block and measure that was ever worked on here; goes when the last account was let off.
create table domain_measures (
  domain text not null,
  -- suspended or silenced
  measure text not null,
  stamp text not null,
  -- who asked last; work that carries another number is out of date
  "order" bigint not null,
  primary key (domain, measure, stamp)
);
