-- expand: who blocks a domain is asked by the domain
create index domain_blocks_to on domain_blocks (domain);
