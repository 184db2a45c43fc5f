-- To whom an incident with a device is reported. The site leads there and keeps nothing about the incident itself.
create table public.incident_authorities (
  -- ISO 3166; EU for the countries of the Union that have no row.
  code text primary key constraint "A country is named by two capital letters" check (code ~ '^[A-Z]{2}$'),
  country text not null unique
    constraint "The country must be 1 to 60 characters" check (not private.is_blank(country) and char_length(country) <= 60),
  name text not null
    constraint "The name of an authority must be 1 to 120 characters" check (not private.is_blank(name) and char_length(name) <= 120),
  url text not null
    constraint "Enter the address of the authority, beginning with https://" check (
      url ~ '^https://[a-z0-9.-]+/[^\s<>"]*$' and char_length(url) <= 500
    )
);

comment on table public.incident_authorities is
  'The authorities to which incidents with devices are reported, by country; operators add and change them.';

alter table public.incident_authorities enable row level security;

create policy "Everybody can read the authorities" on public.incident_authorities for select using (true);

grant select on public.incident_authorities to anon, authenticated;

insert into public.incident_authorities (code, country, name, url) values
  ('AR', 'Argentina', 'ANMAT, Tecnovigilancia', 'https://www.argentina.gob.ar/anmat'),
  ('AT', 'Austria', 'BASG', 'https://www.basg.gv.at/en/market-surveillance/reporting/medical-devices-vigilance'),
  ('AU', 'Australia', 'Therapeutic Goods Administration', 'https://www.tga.gov.au/safety/reporting-problems'),
  ('BE', 'Belgium', 'FAMHP', 'https://www.famhp.be/en/human_use/health_products/medical_devices_accessories/materiovigilance/how_notify'),
  ('BR', 'Brazil', 'Anvisa, Notivisa', 'https://www.gov.br/anvisa/pt-br/assuntos/fiscalizacao-e-monitoramento/notificacoes/e-notivisa'),
  ('CA', 'Canada', 'Health Canada, MedEffect',
    'https://www.canada.ca/en/health-canada/services/drugs-health-products/medeffect-canada.html'),
  ('CH', 'Switzerland', 'Swissmedic',
    'https://www.swissmedic.ch/swissmedic/en/home/medical-devices/reporting-incidents---fscas/users---operators.html'),
  ('CN', 'China', 'National Medical Products Administration', 'https://maers.adrs.org.cn/'),
  ('DE', 'Germany', 'BfArM', 'https://www.bfarm.de/EN/Medical-devices/_node.html'),
  ('DK', 'Denmark', 'Danish Medicines Agency', 'https://laegemiddelstyrelsen.dk/en/devices/incident-reporting/'),
  ('ES', 'Spain', 'AEMPS, NotificaPS', 'https://notificaps.aemps.es/'),
  ('EU', 'European Union, other countries', 'National authorities for medical devices',
    'https://health.ec.europa.eu/medical-devices-sector/new-regulations/contacts_en'),
  ('FI', 'Finland', 'Fimea', 'https://fimea.fi/en/'),
  ('FR', 'France', 'Portail de signalement', 'https://signalement.social-sante.gouv.fr/'),
  ('GB', 'United Kingdom', 'MHRA, Yellow Card', 'https://yellowcard.mhra.gov.uk/medical-devices'),
  ('IE', 'Ireland', 'Health Products Regulatory Authority', 'https://www.hpra.ie/'),
  ('IN', 'India', 'Materiovigilance Programme of India', 'https://www.ipc.gov.in/'),
  ('IT', 'Italy', 'Ministero della Salute', 'https://www.salute.gov.it/'),
  ('JP', 'Japan', 'PMDA', 'https://www.pmda.go.jp/safety/reports/hcp/pmd-act/0003.html'),
  ('KE', 'Kenya', 'Pharmacy and Poisons Board', 'https://pv.pharmacyboardkenya.org/'),
  ('KR', 'South Korea', 'Ministry of Food and Drug Safety', 'https://www.mfds.go.kr/eng/'),
  ('NL', 'Netherlands', 'Health and Youth Care Inspectorate',
    'https://www.igj.nl/onderwerpen/melden-over-medische-hulpmiddelen-en-implantaten/melden-als-zorgverlener-of-patient'),
  ('NO', 'Norway', 'Norwegian Medical Products Agency',
    'https://www.dmp.no/en/medical-devices/for-healthcare-facilities/melde-fra-om-alvorlige-hendelser-i-helsetjenesten'),
  ('NZ', 'New Zealand', 'Medsafe', 'https://www.medsafe.govt.nz/regulatory/DevicesNew/9AdverseEvent.asp'),
  ('PL', 'Poland', 'URPL', 'https://www.gov.pl/web/urpl-en'),
  ('PT', 'Portugal', 'Infarmed', 'https://www.infarmed.pt/'),
  ('SA', 'Saudi Arabia', 'Saudi Food and Drug Authority', 'https://ncmdr.sfda.gov.sa/default.aspx'),
  ('SE', 'Sweden', 'Swedish Medical Products Agency',
    'https://lakemedelsverket.se/sv/rapportera-biverkningar/medicinteknik/anmala-negativa-handelser-och-tillbud'),
  ('SG', 'Singapore', 'Health Sciences Authority', 'https://www.hsa.gov.sg/medical-devices/adverse-events'),
  ('US', 'United States', 'FDA, MedWatch', 'https://www.accessdata.fda.gov/scripts/medwatch/index.cfm'),
  ('ZA', 'South Africa', 'SAHPRA', 'https://www.sahpra.org.za/');
