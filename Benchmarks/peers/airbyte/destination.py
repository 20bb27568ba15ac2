"""An Airbyte destination for the job. It posts batches, and hands a state on when all before it is delivered."""
import sys

import orjson
import requests
from airbyte_cdk.destinations import Destination
from airbyte_cdk.models import AirbyteConnectionStatus, ConnectorSpecification, Status, Type


class DestinationBench(Destination):
    def spec(self, *arguments):
        return ConnectorSpecification(connectionSpecification={"type": "object"}, supportsIncremental=True)

    def check(self, logger, config):
        return AirbyteConnectionStatus(status=Status.SUCCEEDED)

    def write(self, config, configured_catalog, input_messages):
        session, waiting = requests.Session(), []

        def post():
            answer = session.post(
                f"{config['pda']}/purchases",
                data=orjson.dumps(waiting), headers={"Content-Type": "application/json"},
            )
            answer.raise_for_status()
            waiting.clear()

        for message in input_messages:
            if message.type == Type.RECORD:
                waiting.append(message.record.data)
                if len(waiting) == config["batch"]:
                    post()
            elif message.type == Type.STATE:
                if waiting:
                    post()
                yield message
        if waiting:
            post()


if __name__ == "__main__":
    DestinationBench().run(sys.argv[1:])
