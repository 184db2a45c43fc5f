import { useFileUrl } from '#app/frame/page/file-url.ts';
import { dimensionsOf, type ShownFile } from '#app/solution/build-files/build-file.ts';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { modelText } from './model-facts.ts';

const ModelStage = lazyPart(
  () => import('./model-stage.tsx'),
  'ModelStage',
  ({ still }) => (
    <>
      {still}
      <p className="mt-3 flex min-h-11 items-center gap-2 text-ink-2">
        <span className="icon icon-spinner animate-spin" /> Loading the 3D view
      </p>
    </>
  ),
);

const edges = ['Width (X)', 'Depth (Y)', 'Height (Z)'];

/** A model to turn, measure and cut, with its still picture until it is drawn. */
export function ModelDialog({ file, onClose }: { file: ShownFile; onClose: () => void }) {
  const fileUrl = useFileUrl();
  const still = file.picture_url && (
    <Picture
      src={fileUrl(file.picture_url)}
      alt={`Still image. ${modelText(file)}`}
      width={1200}
      height={900}
      className="h-[46dvh] min-h-56 w-full rounded-md border bg-white object-contain"
    />
  );
  return (
    <Dialog wide title={file.file_name} onClose={onClose}>
      <dl className="mt-1 mb-4 flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-2">
        {dimensionsOf(file)?.map((value, index) => (
          <div key={edges[index]} className="flex gap-2">
            <dt>{edges[index]}</dt>
            <dd className="text-ink">{value} mm</dd>
          </div>
        ))}
      </dl>
      <ModelStage file={file} still={still} />
    </Dialog>
  );
}
