"""Judges all plugs of a folder."""
from . import completeness, descriptions, examples, fixtures, readmes, records, requests
from .manifest import Manifest

MOST_PLUGS = 1000


def check(root, data, found):
    """Puts what is wrong with the plugs of a folder into a report; without `data` no description is looked at. Gives the plugs,
    and those whose provider has no description."""
    manifests, without = {}, []
    for path in sorted(root.glob("*/plug.yaml"))[:MOST_PLUGS]:
        manifest = Manifest(path)
        manifests[path.parent.name] = manifest
        if data and not described(manifest, path.parent, data, found):
            without.append(path.parent.name)
        golden = records.RecordCheck(manifest, found, path.parent)
        golden.run()
        readmes.ReadmeCheck(manifest, golden.records, found, path.parent).run()
        completeness.check(manifest, found, path.parent)
    readmes.catalogue(root, manifests, found)
    return manifests, without


def described(manifest, folder, data, found):
    """Judges a plug by its provider's description; by its examples where there is none."""
    provider = descriptions.folder_of(data, manifest.plug)
    if any(provider.glob("spec*")):
        description = descriptions.Description(provider)
        requests.RequestCheck(manifest, description, found, f"{folder.name}/plug.yaml").run()
        fixtures.FixtureCheck(manifest, description, found, folder).run()
        return True
    if given := sorted(provider.glob("examples/*.json")):
        examples.ExampleCheck(given, found, folder).run()
    return False
