-- An incident is reported one press nearer: these lead to the form of the authority, or to its page for who reports, where
-- they led to a home page. An address that an operator has changed stays.
update public.incident_authorities a set url = n.url
from (values
  ('AT', 'https://www.basg.gv.at/', 'https://www.basg.gv.at/en/market-surveillance/reporting/medical-devices-vigilance'),
  ('BE', 'https://www.famhp.be/en',
    'https://www.famhp.be/en/human_use/health_products/medical_devices_accessories/materiovigilance/how_notify'),
  ('BR', 'https://www.gov.br/anvisa/pt-br',
    'https://www.gov.br/anvisa/pt-br/assuntos/fiscalizacao-e-monitoramento/notificacoes/e-notivisa'),
  ('CH', 'https://www.swissmedic.ch/',
    'https://www.swissmedic.ch/swissmedic/en/home/medical-devices/reporting-incidents---fscas/users---operators.html'),
  ('CN', 'https://www.nmpa.gov.cn/', 'https://maers.adrs.org.cn/'),
  ('DE', 'https://www.bfarm.de/EN/Medical-devices/_node.html',
    'https://www.bfarm.de/DE/Medizinprodukte/Antraege-und-Meldungen/Vorkommnis-melden/_node.html'),
  ('DK', 'https://laegemiddelstyrelsen.dk/en/', 'https://laegemiddelstyrelsen.dk/en/devices/incident-reporting/'),
  ('FI', 'https://fimea.fi/en/', 'https://www.fimea.fi/web/en/medical-devices/incident-reports'),
  ('GB', 'https://yellowcard.mhra.gov.uk/', 'https://yellowcard.mhra.gov.uk/medical-devices'),
  ('JP', 'https://www.pmda.go.jp/english/', 'https://www.pmda.go.jp/safety/reports/hcp/pmd-act/0003.html'),
  ('KE', 'https://web.pharmacyboardkenya.org/', 'https://pv.pharmacyboardkenya.org/'),
  ('NL', 'https://english.igj.nl/',
    'https://www.igj.nl/onderwerpen/melden-over-medische-hulpmiddelen-en-implantaten/melden-als-zorgverlener-of-patient'),
  ('NO', 'https://www.dmp.no/en',
    'https://www.dmp.no/en/medical-devices/for-healthcare-facilities/melde-fra-om-alvorlige-hendelser-i-helsetjenesten'),
  ('NZ', 'https://www.medsafe.govt.nz/', 'https://www.medsafe.govt.nz/regulatory/DevicesNew/9AdverseEvent.asp'),
  ('SA', 'https://www.sfda.gov.sa/en', 'https://ncmdr.sfda.gov.sa/default.aspx'),
  ('SE', 'https://www.lakemedelsverket.se/en',
    'https://lakemedelsverket.se/sv/rapportera-biverkningar/medicinteknik/anmala-negativa-handelser-och-tillbud'),
  ('SG', 'https://www.hsa.gov.sg/', 'https://www.hsa.gov.sg/medical-devices/adverse-events'),
  ('US', 'https://www.fda.gov/safety/medwatch-fda-safety-information-and-adverse-event-reporting-program',
    'https://www.accessdata.fda.gov/scripts/medwatch/index.cfm')
) n (code, former, url)
where a.code = n.code and a.url = n.former;
